"""What several tests share: small tables, strategies that draw them, promises to ask for."""
