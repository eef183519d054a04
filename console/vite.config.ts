import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './tools/precompress.ts'

// Where `npm run console` finds the service whose pages are worked on.
const service = process.env.MUSTER_ADDRESS ?? 'http://127.0.0.1:5057'

const ofTheServer = '^/(api|openapi|health)(/|$)|^/admin/(session|features|logout|callback|sign-in/.)'

export default defineConfig({
  root: import.meta.dirname,
  base: '/admin/',
  plugins: [react(), precompress()],
  // Everything is a file of its own: the content security policy allows no data in the page.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
  server: { proxy: { [ofTheServer]: { target: service, changeOrigin: true } } },
})
