"""Where limbs touch the ground: found (`detect`), corrected (`correct`), planted (`plant`), levelled (`level`)."""
