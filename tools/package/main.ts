import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packageAgent } from './agent.ts'

/** What `npm run package` can build. Each product writes into its own folder below `artifacts`. */
const products: Record<string, (folder: string) => Promise<void>> = {
  agent: packageAgent,
}

const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !Object.hasOwn(products, name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Products: ${Object.keys(products).join(', ')}.`)
  process.exit(2)
}
for (const [name, build] of Object.entries(products)) {
  if (requested.length > 0 && !requested.includes(name)) continue
  const folder = join(import.meta.dirname, '../../artifacts', name)
  await mkdir(folder, { recursive: true })
  await build(folder)
}
