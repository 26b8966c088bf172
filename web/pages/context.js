// Contexts of the library that the browser may take away.

/** Creates a context. When the browser takes it away, `lost` is called, which has to close it while
 * nothing can be computed. `restored` is called when there can be a new one. */
export function openContext(library, { lost, restored }) {
  // Measuring the device would take seconds of each visit, because nothing is stored.
  const context = library.context({ tuning: 'off' }), watching = new AbortController();
  const { canvas } = context.gl;
  canvas.addEventListener('webglcontextlost', event => {
    event.preventDefault(); // without this the browser gives no context back
    lost();
  }, { signal: watching.signal });
  canvas.addEventListener('webglcontextrestored', restored, { once: true });
  const close = () => {
    watching.abort();
    try {
      context.destroy();
    } catch (error) {
      console.debug(error.message); // objects of a lost context cannot be used again
    }
  };
  return { context, close };
}
