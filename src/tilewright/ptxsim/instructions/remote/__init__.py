"""Memory that is not of this block and this device alone: of other blocks of a cluster, and of several devices."""
