import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { recordPackages } from '../tools/bundled-packages.ts'
import manifest from './package.json' with { type: 'json' }
import { help } from './tools/help/plugin.ts'
import { precompress } from './tools/precompress.ts'
import { visibleTexts } from './tools/visible-texts.ts'

// Where `npm run console` finds the service whose pages are worked on.
const service = process.env.MUSTER_ADDRESS ?? 'http://127.0.0.1:5057'

const ofTheServer = '^/(api|asyncapi|openapi|health)(/|$)|^/admin/(session|features|logout|callback|sign-in/.)'

// React would otherwise be built for development wherever the environment says so, as it does in tests.
if (process.argv.includes('build')) process.env.NODE_ENV = 'production'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [visibleTexts(), react(), help(), precompress(), recordPackages('console')],
  // In `npm run console`, libraries are built apart.
  optimizeDeps: { rolldownOptions: { plugins: [visibleTexts()] } },
  resolve: { alias: { 'url-parse': join(import.meta.dirname, 'tools/url-parse.ts') } },
  define: { __PAGES_VERSION__: JSON.stringify(manifest.version) },
  // Everything is a file of its own: the content security policy allows no data in the page.
  build: {
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What nearly all pages need is in few files. Many small ones take more bytes and more requests.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules/, minShareCount: 25 },
            { name: 'common', test: /console[\\/]src[\\/]/, minShareCount: 25 },
            // An icon has a few hundred bytes.
            { name: 'icons', test: /@tabler/, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: { proxy: { [ofTheServer]: { target: service } } },
})
