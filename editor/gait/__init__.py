"""Steps and cycles of locomotion: read off clips (`cycles`, `arc`), and made from published kinematics."""
