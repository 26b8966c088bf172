// Commands of OpenGL that WebGL 2 lacks. The library calls them in contexts that offer them, which
// those of browsers never do.
mergeInto(LibraryManager.library, Object.fromEntries([
    'glBeginConditionalRender', 'glBeginConditionalRenderNV', 'glBindImageTexture',
    'glBlendEquationSeparatei', 'glBlendEquationSeparateiEXT', 'glBlendFuncSeparatei',
    'glBlendFuncSeparateiEXT', 'glBufferStorage', 'glClampColor', 'glClearTexImage',
    'glClipControl', 'glClipControlEXT', 'glColorMaski', 'glColorMaskiEXT',
    'glCopyImageSubData', 'glCreateShaderProgramv', 'glDebugMessageCallback',
    'glDebugMessageControl', 'glDisablei', 'glDisableiEXT', 'glDispatchCompute', 'glEnablei',
    'glEnableiEXT', 'glEndConditionalRender', 'glEndConditionalRenderNV',
    'glFramebufferParameteri', 'glGetFloati_v', 'glGetQueryObjectui64v', 'glGetTexImage',
    'glGetTexLevelParameteriv', 'glGetTextureParameteriv', 'glIsEnabledi', 'glIsEnablediEXT',
    'glMapBufferRange', 'glMemoryBarrier', 'glPixelTransferf', 'glPolygonMode',
    'glPrimitiveBoundingBoxEXT', 'glProgramUniform1i', 'glQueryCounter', 'glTextureView',
    'glUnmapBuffer', 'glViewportIndexedfv',
].map(name => [name, new Function(`abort('${name} is not a command of WebGL')`)])));
