import { GlobalRegistrator } from '@happy-dom/global-registrator'

/** What Node has itself: the fake service reads requests with it, and its timers are those of the tests. */
const ownOfNode = [
  ...['Request', 'Response', 'Headers', 'AbortController', 'AbortSignal', 'URL', 'URLSearchParams', 'Blob'],
  ...['ReadableStream', 'TransformStream', 'WritableStream', 'TextEncoder', 'TextDecoder', 'crypto', 'performance'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'queueMicrotask'],
]

/** A document for the tests of a worker. It has no layout: what depends on sizes or colours is tested in a browser. */
function registerDocument(): void {
  const kept = ownOfNode.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  GlobalRegistrator.register({ url: 'http://127.0.0.1:5057/', width: 1280, height: 900 })
  for (const [name, descriptor] of kept) if (descriptor) Object.defineProperty(globalThis, name, descriptor)
  // Fields that grow with their text check whether fonts were loaded.
  Object.defineProperty(document, 'fonts', { value: new EventTarget() })
  // Trees and long lists render what is in sight. Without a layout, nothing would be.
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => window.innerHeight })
  // Without style sheets, an element has its own style only. Looking for others takes most of the time of a test.
  const getComputedStyle = ({ style }: HTMLElement) => style
  Object.assign(globalThis, { Request: PageRequest, getComputedStyle })
  Object.assign(window, { getComputedStyle })
}

const { Request } = globalThis

/** Unlike that of Node, the request of a browser may have an address without a host. */
class PageRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === 'string' ? new URL(input, location.origin) : input, init)
  }
}

// A warning that contains an element would print the whole document.
const { warn } = console
console.warn = (...parts: unknown[]) => warn(...parts.map((part) => (part instanceof Node ? part.nodeName : part)))

// The files of a worker share it.
if (!GlobalRegistrator.isRegistered) registerDocument()
