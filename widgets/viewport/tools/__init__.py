"""Tools that pose the figure: handles at hands and feet, arrows, rings."""
