"""What the sources of the default list say of its entries."""

from __future__ import annotations

from dataclasses import dataclass, field

MAX_SCOWL_SIZE = 70


@dataclass
class Sources:
    """The data of each source about entries, by the entry's letters."""

    cwl: dict[str, int] = field(default_factory=dict)
    """The entry's score in CWL50."""
    ukacd: dict[str, list[str]] = field(default_factory=dict)
    """The ways UKACD18 writes it."""
    scowl: dict[str, int] = field(default_factory=dict)
    """The smallest size of SCOWL it is in, in any category, without marks."""
    scowl_words: dict[str, int] = field(default_factory=dict)
    """The same for the category of plain words: no names, no abbreviations."""
    abbreviations: set[str] = field(default_factory=set)
    """What SCOWL has among its abbreviations up to size 70, and what SCOWL or WordNet write in
    capitals."""
    names: set[str] = field(default_factory=set)
    """The names of SCOWL up to size 60, but for those written in capitals."""
    any_names: set[str] = field(default_factory=set)
    """The names of SCOWL of any size, but for those written in capitals."""
    parts: dict[str, int] = field(default_factory=dict)
    """The same with possessives and contractions: what phrases are made of."""
    wordnet: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The entry as WordNet writes it, and how often its senses are tagged in texts."""
    web: dict[str, float] = field(default_factory=dict)
    """The decimal logarithm of its count in a trillion words of web pages, names included."""
    web_pairs: dict[tuple[str, str], float] = field(default_factory=dict)
    """The same for two words in a row."""

    spellings: dict[str, dict[str, int]] = field(default_factory=dict)
    """For each of SCOWL's spellings (american, british_z), the smallest size of its words."""

    def entries(self) -> list[str]:
        """Every entry of the list, in alphabetical order."""
        scowl = (word for word, size in self.scowl.items() if size <= MAX_SCOWL_SIZE)
        return sorted({*self.cwl, *self.ukacd, *scowl})
