"""The same on a Spark cluster, which never hands the table to the driver."""
