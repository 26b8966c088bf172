// Handles of the objects of C, and of contexts, which the browser may take away and give back.
import { GlnnError } from './native.js';
import { adopt, forget } from './webgl.js';

// A handle of C, which the object of JavaScript shares with its context and with the registry. It
// knows no object of JavaScript, so these can be collected. `destroy` is the function of C that
// destroys it; without one it belongs to another object, and `isValid` tells whether it lives.
export class Handle {
  isLost = false; // it ended with its context
  #sources = [];

  constructor(contextHandle, pointer, destroy, isValid = () => true) {
    Object.assign(this, { contextHandle, pointer, destroy, isValid });
    if (destroy)
      contextHandle.handles.add(this);
  }

  release() {
    const { contextHandle } = this;
    if (!this.pointer || !contextHandle.handles)
      return;
    const { isLost } = contextHandle;
    try {
      contextHandle.native.call(this.destroy, [this, 0, 0]); // the zeros drop a download
    } catch (error) {
      if (!isLost)
        throw error;
    }
    this.forget();
    this.isLost = isLost;
  }

  forget() {
    this.contextHandle.handles?.delete(this);
    this.pointer = 0;
    this.#sources.splice(0).forEach(source => source.leave());
  }

  /** Keeps what data sets read from as long as they do. */
  share(sources) {
    sources.forEach(source => source.enter());
    this.#sources.push(...sources);
  }

  shareThoseOf(...handles) {
    handles.forEach(handle => this.share(handle.#sources));
  }
}

// The same for a context, with the handles of its objects. When the browser takes the context away,
// all of these end. When it gives the context back, the handle has a new context of C.
export class ContextHandle {
  handles = new Set();
  recording = null; // the objects that a list uses
  pointer = 0;
  #desc;
  #isTaken = false;
  #watching = new AbortController();

  /** `tell` gets the names of events. */
  constructor(native, gl, isOwn, desc, tell) {
    Object.assign(this, { native, gl, isOwn });
    this.#desc = desc;
    try {
      this.#open();
    } catch (error) {
      this.#giveBack();
      throw error;
    }
    const watch = (name, act) =>
      gl.canvas.addEventListener(name, act, { signal: this.#watching.signal });
    watch('webglcontextlost', event => {
      if (isOwn)
        event.preventDefault(); // without this the browser gives no context back
      this.#isTaken = true;
      this.#close();
      tell('lost');
    });
    watch('webglcontextrestored', () => {
      this.#open();
      this.#isTaken = false;
      tell('restored');
    });
  }

  #open() {
    this.number = adopt(this.native.module.GL, this.gl);
    this.enter();
    try {
      this.pointer = this.native.call('glnn_context_create', [this.#desc]);
    } catch (error) {
      this.#end();
      throw error;
    }
    this.hold();
  }

  #close() {
    if (this.isLost)
      this.gl.getError(); // which tells it once
    for (const handle of this.handles)
      handle.release();
    if (this.pointer)
      this.native.call('glnn_context_destroy', [this]);
    this.#end();
  }

  #end() {
    this.pointer = 0;
    forget(this.native.module.GL, this.number);
  }

  enter() {
    this.native.module.GL.makeContextCurrent(this.number);
  }

  /** Whether the browser has taken the context away. Its event may follow. */
  get isLost() {
    return this.#isTaken || Boolean(this.handles) && this.gl.isContextLost();
  }

  refuseIfLost() {
    if (this.isLost)
      throw new GlnnError('GLNN_E_STATE', 'the browser has taken the context away; its objects are ' +
        'lost, and new ones can be made after its event "restored"');
  }

  get #hasState() {
    return this.isOwn && this.pointer && !this.isLost;
  }

  // Nobody else uses the state of a context of our own, so nobody needs it back after each call.
  hold() {
    if (this.#hasState)
      this.native.call('glnn_context_begin', [this]);
  }

  letGo() {
    if (this.#hasState)
      this.native.call('glnn_context_end', [this]);
  }

  release() {
    if (!this.handles)
      return;
    this.#watching.abort();
    if (!this.#isTaken)
      this.#close();
    this.handles = null;
    this.#isTaken = false;
    this.#giveBack();
  }

  // The browser would wait until JavaScript collects the context.
  #giveBack() {
    if (this.isOwn)
      this.gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
