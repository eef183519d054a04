import { registerHooks } from 'node:module'

// Resolves what the sources import of each other, as Node would, before Vitest sees it. For every import, Vitest would send its
// main process a message and get an answer, to know in watch mode which tests a file belongs to.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context
    if (!parentURL || !/^\.\.?\/.*\.tsx?$/.test(specifier)) return nextResolve(specifier, context)
    return { url: new URL(specifier, parentURL).href, shortCircuit: true }
  },
})
