import { buildBundle, ensureBundle } from './service-bundle.ts'

await (process.argv.includes('--if-outdated') ? ensureBundle() : buildBundle())
