"""Draws a scene with OpenGL 3.3 into the framebuffer that is bound. All handles belong to one context.

What is sent for each frame is a few kilobytes: parts, lines and dots are drawn as instances of small meshes.
"""

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt
from OpenGL import GL  # type: ignore[import-untyped]

from model.arrays import Array
from resources import path_of
from widgets.viewport.camera import Camera
from widgets.viewport.figure import Solids
from widgets.viewport.scene import Dots, Fills, Lines, Prints, Scene, Shadow, edge_lines, face_colours
from widgets.viewport.terrain import Terrain

Floats = npt.NDArray[np.float32]

_ROUND, _CAP = 20, 4  # corners around a capsule, rings in each of its caps
_LIGHT = (-0.35, 0.60, 0.72)  # towards it, in the camera's axes


class Renderer:
    """Shaders, meshes and buffers of one context. Make it, use it and free it with that context current."""

    def __init__(self) -> None:
        names = ("backdrop", "terrain", "terrain_shadow", "solid", "shadow", "print", "fill", "line", "dot")
        self._programs = {name: _Program(name) for name in names}
        vertices, corners = capsule_mesh(_ROUND, _CAP)
        self._corners = len(corners)
        self._nothing = GL.glGenVertexArrays(1)
        self._solid = _Instances(((1, 3), (2, 3), (3, 3), (4, 3), (5, 4), (6, 2), (7, 4), (8, 4)), vertices, corners)
        self._terrain = _Instances(((1, 3), (2, 3), (3, 3), (4, 3), (5, 3)))
        self._sent: tuple[Terrain, bytes] | None = None  # what of the terrain the driver has
        self._print = _Instances(((1, 3), (2, 3), (3, 3), (4, 4), (5, 1)))
        self._fill = _Instances(((1, 3), (2, 3), (3, 3), (4, 4)))
        self._line = _Instances(((1, 3), (2, 3), (3, 4), (4, 1)))
        self._dot = _Instances(((1, 3), (2, 4), (3, 1)))
        self._texture = GL.glGenTextures(1)

    def free(self) -> None:
        """Give everything back to the context."""
        for program in self._programs.values():
            program.free()
        for instances in (self._terrain, self._solid, self._print, self._fill, self._line, self._dot):
            instances.free()
        GL.glDeleteVertexArrays(1, [self._nothing])
        GL.glDeleteTextures([self._texture])

    def draw(self, scene: Scene, camera: Camera, size: tuple[int, int], pixel_ratio: float = 1.0) -> None:
        """Draw a scene. size : of the framebuffer, in its own pixels; pixel_ratio : of them to logical ones."""
        width, height = size
        to_clip = camera.matrix((float(width), float(height)))
        half = np.array([0.5 * width, 0.5 * height], dtype=np.float32)
        GL.glViewport(0, 0, width, height)
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glDepthMask(GL.GL_TRUE)
        GL.glDepthFunc(GL.GL_LEQUAL)
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_BLEND)
        self._draw_backdrop(scene, camera, to_clip)
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
        GL.glEnable(GL.GL_DEPTH_TEST)
        self._draw_terrain(scene, to_clip)
        GL.glDepthMask(GL.GL_FALSE)
        for shadow in scene.shadows:
            self._draw_shadow(shadow, scene, to_clip)
        if len(scene.terrain):
            self._draw_lines(edge_lines(scene), to_clip, half, camera.near_m, pixel_ratio)
        self._draw_prints(scene.prints, to_clip, 2.0 * pixel_ratio)
        GL.glDepthMask(GL.GL_TRUE)
        # Ghosts stand behind whatever is solid: they must never veil the figure that is worked on.
        self._draw_ghosts(scene, camera, to_clip)
        self._draw_solids(scene.solids, camera, to_clip)
        GL.glDepthMask(GL.GL_FALSE)
        self._draw_lines(scene.lines, to_clip, half, camera.near_m, pixel_ratio)
        self._draw_dots(scene.dots, to_clip, half, pixel_ratio)
        GL.glDepthMask(GL.GL_TRUE)
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._draw_fills(scene.front_fills, to_clip)
        self._draw_lines(scene.front_lines, to_clip, half, camera.near_m, pixel_ratio)
        self._draw_dots(scene.front_dots, to_clip, half, pixel_ratio)
        GL.glDisable(GL.GL_BLEND)
        GL.glBindVertexArray(0)
        GL.glUseProgram(0)

    def _draw_backdrop(self, scene: Scene, camera: Camera, to_clip: Array) -> None:
        backdrop = scene.backdrop
        self._programs["backdrop"].use(
            from_clip=np.linalg.inv(to_clip),
            sky=backdrop.sky,
            horizon=backdrop.horizon,
            ground=backdrop.ground,
            grid=backdrop.grid,
            ground_height=scene.ground_m,
            grid_strength=1.0 if scene.grid else 0.0,
            target=np.array(camera.target),
            distance_to_target=camera.distance_m,
        )
        GL.glBindVertexArray(self._nothing)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)

    def _draw_terrain(self, scene: Scene, to_clip: Array) -> None:
        """What stands on the floor; a little farther away than it is, so that what lies on it is seen."""
        terrain = scene.terrain
        if not len(terrain):
            return
        key = (terrain, scene.chosen.to_bytes(4, "little", signed=True) + scene.backdrop.block.tobytes())
        if self._sent is None or self._sent[0] is not terrain or self._sent[1] != key[1]:
            corners = (terrain.triangles[:, n] for n in range(3))
            self._terrain.send(_rows(*corners, terrain.normals, face_colours(scene)))
            self._sent = key
        self._programs["terrain"].use(
            to_clip=to_clip, grid=scene.backdrop.grid, grid_strength=1.0 if scene.grid else 0.0
        )
        GL.glEnable(GL.GL_CULL_FACE)
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(1.0, 2.0)
        self._terrain.draw_corners(3)
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glDisable(GL.GL_CULL_FACE)

    def _draw_shadow(self, shadow: Shadow, scene: Scene, to_clip: Array) -> None:
        strength = scene.backdrop.dark
        rows, columns = shadow.darkness.shape
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
        GL.glTexImage2D(
            GL.GL_TEXTURE_2D, 0, GL.GL_R8, columns, rows, 0, GL.GL_RED, GL.GL_UNSIGNED_BYTE, shadow.darkness
        )  # fmt: skip
        for name, value in (
            (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_EDGE),
            (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_EDGE),
        ):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, name, value)
        self._programs["shadow"].use(
            to_clip=to_clip, centre=shadow.centre, half_side=shadow.half_m, strength=strength, darkness=0
        )
        GL.glBindVertexArray(self._nothing)
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)
        if len(scene.terrain):
            self._programs["terrain_shadow"].use(
                to_clip=to_clip, centre=shadow.centre, half_side=shadow.half_m, strength=strength, darkness=0
            )
            GL.glEnable(GL.GL_CULL_FACE)
            GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
            self._terrain.draw_corners(3)
            GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)
            GL.glDisable(GL.GL_CULL_FACE)
        GL.glBindTexture(GL.GL_TEXTURE_2D, 0)

    def _draw_solids(self, solids: Solids, camera: Camera, to_clip: Array) -> None:
        if not len(solids):
            return
        light = np.array(_LIGHT) @ camera.axes
        self._programs["solid"].use(to_clip=to_clip, eye=camera.eye, light=light / np.linalg.norm(light))
        self._solid.send(solid_rows(solids))
        self._solid.draw_elements(self._corners)

    def _draw_ghosts(self, scene: Scene, camera: Camera, to_clip: Array) -> None:
        """Of each ghost only what is in front, so that its parts do not show through each other."""
        ghosts = scene.ghosts
        if not len(ghosts):
            return
        GL.glColorMask(GL.GL_FALSE, GL.GL_FALSE, GL.GL_FALSE, GL.GL_FALSE)
        self._draw_solids(ghosts, camera, to_clip)
        GL.glColorMask(GL.GL_TRUE, GL.GL_TRUE, GL.GL_TRUE, GL.GL_TRUE)
        self._solid.draw_elements(self._corners)
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        GL.glColorMask(GL.GL_FALSE, GL.GL_FALSE, GL.GL_FALSE, GL.GL_FALSE)
        self._draw_terrain(scene, to_clip)
        GL.glColorMask(GL.GL_TRUE, GL.GL_TRUE, GL.GL_TRUE, GL.GL_TRUE)

    def _draw_prints(self, prints: Prints, to_clip: Array, rim_px: float) -> None:
        if not len(prints):
            return
        self._programs["print"].use(to_clip=to_clip, rim_px=rim_px)
        self._print.send(_rows(prints.centres, prints.longs, prints.wides(), prints.colours, prints.fills))
        self._print.draw_corners(4)

    def _draw_fills(self, fills: Fills, to_clip: Array) -> None:
        if not len(fills):
            return
        self._programs["fill"].use(to_clip=to_clip)
        self._fill.send(_triangles(fills))
        self._fill.draw_corners(3)

    def _draw_lines(self, lines: Lines, to_clip: Array, half: Floats, near_m: float, ratio: float) -> None:
        if not len(lines):
            return
        self._programs["line"].use(to_clip=to_clip, half_size_px=half, nearest=near_m)
        self._line.send(_rows(lines.starts, lines.ends, lines.colours, ratio * lines.widths))
        self._line.draw_corners(4)

    def _draw_dots(self, dots: Dots, to_clip: Array, half: Floats, ratio: float) -> None:
        if not len(dots):
            return
        self._programs["dot"].use(to_clip=to_clip, half_size_px=half)
        self._dot.send(_rows(dots.positions, dots.colours, ratio * dots.sizes))
        self._dot.draw_corners(4)


def copy_framebuffer(source: int, target: int, size: tuple[int, int]) -> None:
    """Copy the colours of a framebuffer into another, which stays bound."""
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, source)
    GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, target)
    GL.glBlitFramebuffer(0, 0, *size, 0, 0, *size, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, target)


class _Program:
    """A shader program; its uniforms are set by name."""

    def __init__(self, name: str) -> None:
        folder = path_of("shaders")
        stages = ((GL.GL_VERTEX_SHADER, "vert"), (GL.GL_FRAGMENT_SHADER, "frag"))
        shaders = [_compiled(kind, folder.joinpath(f"{name}.{end}").read_text(), name) for kind, end in stages]
        self._handle = GL.glCreateProgram()
        for shader in shaders:
            GL.glAttachShader(self._handle, shader)
        GL.glLinkProgram(self._handle)
        for shader in shaders:
            GL.glDeleteShader(shader)
        if GL.glGetProgramiv(self._handle, GL.GL_LINK_STATUS) != GL.GL_TRUE:
            raise RuntimeError(f"shader {name}: {GL.glGetProgramInfoLog(self._handle)!r}")
        self._places: dict[str, int] = {}

    def use(self, **uniforms: Array | Floats | float | int) -> None:
        """Use the program with these values."""
        GL.glUseProgram(self._handle)
        for name, value in uniforms.items():
            if name not in self._places:
                self._places[name] = GL.glGetUniformLocation(self._handle, name)
            place = self._places[name]
            if isinstance(value, int):
                GL.glUniform1i(place, value)
            elif isinstance(value, float):
                GL.glUniform1f(place, value)
            elif value.shape == (4, 4):
                GL.glUniformMatrix4fv(place, 1, GL.GL_TRUE, value.astype(np.float32))
            else:
                send = GL.glUniform2fv if len(value) == 2 else GL.glUniform3fv
                send(place, 1, value.astype(np.float32))

    def free(self) -> None:
        GL.glDeleteProgram(self._handle)


def _compiled(kind: Any, text: str, name: str) -> int:
    shader: int = GL.glCreateShader(kind)
    GL.glShaderSource(shader, text)
    GL.glCompileShader(shader)
    if GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS) != GL.GL_TRUE:
        raise RuntimeError(f"shader {name}: {GL.glGetShaderInfoLog(shader)!r}")
    return shader


class _Instances:
    """A mesh drawn many times, each with a row of floats of its own. layout : (place, floats) of a row's parts."""

    def __init__(
        self,
        layout: tuple[tuple[int, int], ...],
        vertices: Floats | None = None,
        corners: npt.NDArray[np.uint16] | None = None,
    ) -> None:
        self._array = GL.glGenVertexArrays(1)
        self._buffers = [int(GL.glGenBuffers(1))]
        self._count = 0
        GL.glBindVertexArray(self._array)
        if vertices is not None and corners is not None:
            mesh, order = (int(buffer) for buffer in GL.glGenBuffers(2))
            self._buffers += [mesh, order]
            GL.glBindBuffer(GL.GL_ARRAY_BUFFER, mesh)
            GL.glBufferData(GL.GL_ARRAY_BUFFER, vertices.nbytes, vertices, GL.GL_STATIC_DRAW)
            GL.glEnableVertexAttribArray(0)
            GL.glVertexAttribPointer(0, vertices.shape[1], GL.GL_FLOAT, GL.GL_FALSE, 0, ctypes.c_void_p(0))
            GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, order)
            GL.glBufferData(GL.GL_ELEMENT_ARRAY_BUFFER, corners.nbytes, corners, GL.GL_STATIC_DRAW)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self._buffers[0])
        stride, start = 4 * sum(floats for _, floats in layout), 0
        for place, floats in layout:
            GL.glEnableVertexAttribArray(place)
            GL.glVertexAttribPointer(place, floats, GL.GL_FLOAT, GL.GL_FALSE, stride, ctypes.c_void_p(start))
            GL.glVertexAttribDivisor(place, 1)
            start += 4 * floats
        GL.glBindVertexArray(0)

    def send(self, rows: Floats) -> None:
        """Take the rows to be drawn; what was there before is thrown away, so nothing waits for it."""
        self._count = len(rows)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self._buffers[0])
        GL.glBufferData(GL.GL_ARRAY_BUFFER, rows.nbytes, rows, GL.GL_STREAM_DRAW)

    def draw_elements(self, corners: int) -> None:
        GL.glBindVertexArray(self._array)
        GL.glDrawElementsInstanced(GL.GL_TRIANGLES, corners, GL.GL_UNSIGNED_SHORT, ctypes.c_void_p(0), self._count)

    def draw_corners(self, corners: int) -> None:
        GL.glBindVertexArray(self._array)
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, corners, self._count)

    def free(self) -> None:
        GL.glDeleteVertexArrays(1, [self._array])
        GL.glDeleteBuffers(len(self._buffers), self._buffers)


def solid_rows(solids: Solids) -> Floats:
    """(N, 26) what is sent of each part: start, end, across the width, across the depth, shape, colour."""
    _, across, through = solids.frames()
    return _rows(solids.starts, solids.ends, across, through, solids.shapes, solids.colours)


def _triangles(fills: Fills) -> Floats:
    """(N, 13) the triangles that shapes are made of, fans about their first corners."""
    first = np.concatenate([np.broadcast_to(one[0], (len(one) - 2, 3)) for one in fills.polygons])
    second = np.concatenate([one[1:-1] for one in fills.polygons])
    third = np.concatenate([one[2:] for one in fills.polygons])
    colours = np.repeat(fills.colours, [len(one) - 2 for one in fills.polygons], axis=0)
    return _rows(first, second, third, colours)


def _rows(*columns: Array) -> Floats:
    """Columns side by side, as the driver takes them."""
    return np.ascontiguousarray(
        np.concatenate([one if one.ndim == 2 else one[:, None] for one in columns], axis=1), dtype=np.float32
    )


def capsule_mesh(around: int, rings: int) -> tuple[Floats, npt.NDArray[np.uint16]]:
    """A unit capsule along Y: vertices (V, 4), a direction and which end, and the corners of its triangles.

    around : corners of a circle; rings : in each cap, without its tip.
    """
    tilts = np.linspace(-0.5 * np.pi, 0.0, rings + 1)
    rows = [(tilt, 0.0) for tilt in tilts] + [(-tilt, 1.0) for tilt in tilts[::-1]]
    turns = np.arange(around) * (2.0 * np.pi / around)
    vertices = [
        (np.cos(tilt) * np.cos(turn), np.sin(tilt), np.cos(tilt) * np.sin(turn), end)
        for tilt, end in rows
        for turn in turns
    ]
    corners = []
    for row in range(len(rows) - 1):
        for n in range(around):
            a, b = row * around + n, row * around + (n + 1) % around
            corners += [a, a + around, b, b, a + around, b + around]
    return np.array(vertices, dtype=np.float32), np.array(corners, dtype=np.uint16)
