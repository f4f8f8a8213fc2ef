"""Made walks: offered in menus; their settings are a form of the Inspector."""
