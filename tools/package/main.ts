import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packageAgent } from './agent.ts'
import type { BuildPackages } from './product.ts'
import { packageService } from './service.ts'
import { packageWindowsAgent } from './windows-agent.ts'

/** What `npm run package` builds: everything, or the products that are its arguments. */
const products: Record<string, BuildPackages> = {
  service: packageService,
  agent: packageAgent,
  'agent-windows': packageWindowsAgent,
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(products)
const unknown = names.filter((name) => !Object.hasOwn(products, name))
if (unknown.length > 0) {
  console.error(`Unknown product: ${unknown.join(', ')}. The products are ${Object.keys(products).join(', ')}.`)
  process.exit(2)
}
for (const name of names) {
  const folder = join(import.meta.dirname, '../../artifacts/packages', name)
  await mkdir(folder, { recursive: true })
  for (const file of (await products[name]?.(folder)) ?? []) console.log(file)
}
