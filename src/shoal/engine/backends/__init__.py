"""Tables that do not fit into memory: on this machine, from disk; on a cluster, by Spark."""
