import { defineProject } from 'vitest/config'
import { nodeWorkers, testWorkers } from '../tools/test-workers.ts'
import manifest from './package.json' with { type: 'json' }
import { help } from './tools/help/plugin.ts'
import { visibleTexts } from './tools/visible-texts.ts'

/** Pages over a fake service, in a document without a browser. All files of a worker share the document and the loaded pages. */
export const consolePages = defineProject({
  plugins: [visibleTexts(), help()],
  // The pages as they are built: the checks of React for development take longer than the pages themselves.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  define: { __PAGES_VERSION__: JSON.stringify(manifest.version) },
  test: {
    name: 'pages',
    root: 'console',
    include: ['test/pages/**/*.test.ts'],
    globalSetup: ['test/api-examples.ts'],
    setupFiles: ['test/world/dom.ts'],
    env: { NODE_ENV: 'production', TZ: 'Europe/Berlin' },
    // As for the server: a limit that only detects what hangs.
    testTimeout: 90_000,
    maxWorkers: testWorkers,
    isolate: false,
  },
})

export default defineProject({
  test: {
    name: 'console',
    include: ['test/*.test.ts'],
    globalSetup: ['test/built-pages.ts'],
    setupFiles: ['../tools/test-priority.ts'],
    testTimeout: 30_000,
    ...nodeWorkers,
  },
})
