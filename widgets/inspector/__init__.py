"""The inspector: what is selected, with its parameters, as forms made from what settings say of themselves."""
