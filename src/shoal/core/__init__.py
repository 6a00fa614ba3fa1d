"""The nouns: schema, domain, hierarchy, recoding, table, groups, release, contracts."""
