"""Files, frames and databases in, publications out: the only room where labels are strings."""
