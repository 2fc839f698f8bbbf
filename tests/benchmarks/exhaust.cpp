// A second opinion on unfillable grids: an exhaustive search that shares no code with satcross.
//
//   g++ -O2 -march=native -o exhaust tests/benchmarks/exhaust.cpp
//   ./exhaust GRID.txt WORDS.txt [SEED]
//
// Prints "filled" and the rows of a fill, or "unfillable" when the whole search space is exhausted.
// It branches on the letters of cells (on words only where all crossings of a slot are fixed), keeps
// the candidates arc consistent, chooses slots by dom/wdeg and restarts after ever longer intervals.
// GRID has "_" for open cells, everything else is blocked; words are those of A-Z only, in capitals,
// each once; every run of two or more open cells takes a word, and no word occurs twice.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using Bits = std::vector<uint64_t>;

struct Slot {
    std::vector<int> cells;
    int length = 0;
    Bits words;
    int size = 0;
    double weight = 1;
    int stamp = -1;
};
struct Saved { int slot, size, stamp; Bits words; };
struct SavedCell { int cell; uint32_t letters; };

static std::vector<std::string> rows;
static std::vector<Slot> slots;
static std::vector<uint32_t> letters;                      // of each cell
static std::vector<std::vector<std::pair<int, int>>> uses;  // of each cell: slot, position
static std::map<int, std::vector<std::string>> lists;
static std::map<int, std::vector<std::vector<Bits>>> masks;  // length, position, letter
static std::vector<Saved> trail;
static std::vector<SavedCell> cell_trail;
static std::vector<char> queued;
static std::vector<int> queue;
static int level_stamp = 0;
static long failures = 0, limit = 100, decisions = 0;
static double increment = 1;
static std::mt19937 random_numbers;

static void save(int s) {
    if (slots[s].stamp == level_stamp) return;
    trail.push_back({s, slots[s].size, slots[s].stamp, slots[s].words});
    slots[s].stamp = level_stamp;
}

static void push(int s) {
    if (!queued[s]) { queued[s] = 1; queue.push_back(s); }
}

static int count(const Bits& bits) {
    int n = 0;
    for (uint64_t b : bits) n += __builtin_popcountll(b);
    return n;
}

// Take the words that have none of the letters of a cell; false when none is left.
static bool filter(int s, int position, uint32_t allowed) {
    Slot& slot = slots[s];
    const auto& mask = masks[slot.length][position];
    Bits keep(slot.words.size(), 0);
    for (int l = 0; l < 26; l++)
        if (allowed >> l & 1)
            for (size_t i = 0; i < keep.size(); i++) keep[i] |= mask[l][i];
    bool changed = false;
    for (size_t i = 0; i < keep.size(); i++) changed |= (slot.words[i] & ~keep[i]) != 0;
    if (!changed) return true;
    save(s);
    for (size_t i = 0; i < keep.size(); i++) slot.words[i] &= keep[i];
    slot.size = count(slot.words);
    push(s);
    return slot.size > 0;
}

static bool fail(int s) {
    slots[s].weight += increment;
    for (int q : queue) queued[q] = 0;
    queue.clear();
    return false;
}

static bool set_letters(int cell, uint32_t allowed) {
    if (allowed == letters[cell]) return true;
    cell_trail.push_back({cell, letters[cell]});
    letters[cell] = allowed;
    for (auto [s, position] : uses[cell])
        if (!filter(s, position, allowed)) return fail(s);
    return true;
}

static bool propagate() {
    while (!queue.empty()) {
        size_t best = 0;
        for (size_t i = 1; i < queue.size(); i++)
            if (slots[queue[i]].size < slots[queue[best]].size) best = i;
        int s = queue[best];
        queue[best] = queue.back();
        queue.pop_back();
        queued[s] = 0;
        Slot& slot = slots[s];
        if (slot.size == 1) {
            for (size_t t = 0; t < slots.size(); t++) {
                if ((int)t == s || slots[t].length != slot.length) continue;
                bool there = false;
                for (size_t i = 0; i < slot.words.size(); i++) there |= (slots[t].words[i] & slot.words[i]) != 0;
                if (!there) continue;
                save((int)t);
                for (size_t i = 0; i < slot.words.size(); i++) slots[t].words[i] &= ~slot.words[i];
                if (--slots[t].size == 0) return fail((int)t);
                push((int)t);
            }
        }
        for (int position = 0; position < slot.length; position++) {
            int cell = slot.cells[position];
            if (uses[cell].size() < 2) continue;
            const auto& mask = masks[slot.length][position];
            uint32_t seen = 0;
            for (int l = 0; l < 26; l++) {
                if (!(letters[cell] >> l & 1)) continue;
                for (size_t i = 0; i < slot.words.size(); i++)
                    if (slot.words[i] & mask[l][i]) { seen |= 1u << l; break; }
            }
            if (!set_letters(cell, seen)) return false;
        }
    }
    return true;
}

static void undo(size_t to, size_t cells_to) {
    while (trail.size() > to) {
        Saved& saved = trail.back();
        Slot& slot = slots[saved.slot];
        slot.words.swap(saved.words);
        slot.size = saved.size;
        slot.stamp = saved.stamp;
        trail.pop_back();
    }
    while (cell_trail.size() > cells_to) {
        letters[cell_trail.back().cell] = cell_trail.back().letters;
        cell_trail.pop_back();
    }
}

enum Result { FILLED, EXHAUSTED, RESTART };

static Result search();

// Search below one branch; the state is the same afterwards unless FILLED.
template <typename Change> static Result branch(Change change) {
    size_t to = trail.size(), cells_to = cell_trail.size();
    static int stamps = 0;
    int before = level_stamp;
    level_stamp = ++stamps;
    decisions++;
    Result result = EXHAUSTED;
    if (change() && propagate()) result = search();
    else if (++failures >= limit) result = RESTART;
    if (result == FILLED) return result;
    undo(to, cells_to);
    level_stamp = before;
    increment /= 0.999;
    if (increment > 1e100) {
        for (Slot& slot : slots) slot.weight = slot.weight / increment + 1e-9;
        increment = 1;
    }
    return result;
}

static Result search() {
    int chosen = -1;
    double lowest = 0;
    for (size_t s = 0; s < slots.size(); s++) {
        if (slots[s].size < 2) continue;
        double value = slots[s].size / slots[s].weight;
        if (chosen < 0 || value < lowest) chosen = (int)s, lowest = value;
    }
    if (chosen < 0) return FILLED;
    int cell = -1, fewest = 27;
    for (int c : slots[chosen].cells) {
        int n = __builtin_popcount(letters[c]);
        if (uses[c].size() > 1 && n > 1 && n < fewest) fewest = n, cell = c;
    }
    if (cell >= 0) {
        int position = 0;
        while (slots[chosen].cells[position] != cell) position++;
        std::vector<std::pair<double, int>> order;
        for (int l = 0; l < 26; l++) {
            if (!(letters[cell] >> l & 1)) continue;
            double product = std::uniform_real_distribution<>(0.8, 1.2)(random_numbers);
            for (auto [s, p] : uses[cell]) {
                int n = 0;
                const Bits& mask = masks[slots[s].length][p][l];
                for (size_t i = 0; i < mask.size(); i++) n += __builtin_popcountll(mask[i] & slots[s].words[i]);
                product *= n;
            }
            order.push_back({-product, l});
        }
        std::sort(order.begin(), order.end());
        uint32_t letter = 1u << order[0].second;
        Result result = branch([&] { return set_letters(cell, letter); });
        if (result != EXHAUSTED) return result;
        return branch([&] { return set_letters(cell, letters[cell] & ~letter); });
    }
    int word = 0;
    while (!(slots[chosen].words[word / 64] >> (word % 64) & 1)) word++;
    Result result = branch([&] {
        save(chosen);
        std::fill(slots[chosen].words.begin(), slots[chosen].words.end(), 0);
        slots[chosen].words[word / 64] |= 1ull << (word % 64);
        slots[chosen].size = 1;
        push(chosen);
        return true;
    });
    if (result != EXHAUSTED) return result;
    return branch([&] {
        save(chosen);
        slots[chosen].words[word / 64] &= ~(1ull << (word % 64));
        slots[chosen].size--;
        push(chosen);
        return true;
    });
}

int main(int argc, char** argv) {
    if (argc < 3) { std::cerr << "usage: exhaust GRID WORDS [SEED]\n"; return 2; }
    random_numbers.seed(argc > 3 ? atoi(argv[3]) : 0);
    std::ifstream grid(argv[1]), words(argv[2]);
    std::string line;
    size_t width = 0;
    while (std::getline(grid, line)) { rows.push_back(line); width = std::max(width, line.size()); }
    for (auto& row : rows) row.resize(width, '#');
    std::map<int, std::set<std::string>> known;
    while (std::getline(words, line)) {
        while (!line.empty() && isspace((unsigned char)line.back())) line.pop_back();
        bool good = !line.empty();
        for (char& c : line) { c = (char)toupper((unsigned char)c); good = good && c >= 'A' && c <= 'Z'; }
        if (good) known[(int)line.size()].insert(line);
    }
    for (auto& [length, its] : known) {
        lists[length].assign(its.begin(), its.end());
        auto& mask = masks[length];
        mask.assign(length, std::vector<Bits>(26, Bits((its.size() + 63) / 64, 0)));
        for (size_t w = 0; w < lists[length].size(); w++)
            for (int p = 0; p < length; p++) mask[p][lists[length][w][p] - 'A'][w / 64] |= 1ull << (w % 64);
    }
    int height = (int)rows.size();
    letters.assign(height * width, (1u << 26) - 1);
    uses.resize(height * width);
    auto open = [&](int r, int c) { return r >= 0 && c >= 0 && r < height && c < (int)width && rows[r][c] == '_'; };
    for (int down = 0; down < 2; down++)
        for (int r = 0; r < height; r++)
            for (int c = 0; c < (int)width; c++) {
                if (!open(r, c) || open(r - down, c - !down) || !open(r + down, c + !down)) continue;
                Slot slot;
                for (int y = r, x = c; open(y, x); y += down, x += !down) slot.cells.push_back(y * (int)width + x);
                slot.length = (int)slot.cells.size();
                slot.size = (int)lists[slot.length].size();
                slot.words.assign((slot.size + 63) / 64, 0);
                for (int w = 0; w < slot.size; w++) slot.words[w / 64] |= 1ull << (w % 64);
                for (int p = 0; p < slot.length; p++) uses[slot.cells[p]].push_back({(int)slots.size(), p});
                slots.push_back(slot);
            }
    queued.assign(slots.size(), 0);
    for (size_t s = 0; s < slots.size(); s++) push((int)s);
    Result result = EXHAUSTED;
    bool possible = true;
    for (Slot& slot : slots) possible = possible && slot.size > 0;
    int restarts = 0;
    if (possible && propagate())
        while ((result = search()) == RESTART) { failures = 0; limit = (long)(limit * (restarts++ < 30 ? 1.2 : 1.5)); }
    std::cout << (result == FILLED ? "filled" : "unfillable") << " after " << decisions << " branches, " << restarts << " restarts\n";
    if (result == FILLED) {
        for (Slot& slot : slots) {
            int word = 0;
            while (!(slot.words[word / 64] >> (word % 64) & 1)) word++;
            for (int p = 0; p < slot.length; p++) rows[slot.cells[p] / width][slot.cells[p] % width] = lists[slot.length][word][p];
        }
        for (auto& row : rows) std::cout << row << "\n";
    }
    return result == FILLED ? 0 : 20;
}
