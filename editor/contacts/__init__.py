"""Where limbs touch the ground: found (`detect`), and what a found contact is (`contact`)."""
