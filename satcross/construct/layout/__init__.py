"""Words interlocked in the smallest grid."""
