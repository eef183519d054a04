import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildPackages } from './product.ts'
import { packageService } from './service.ts'

const folder = join(import.meta.dirname, '../../artifacts/packages')

/** What `npm run package` builds: everything, or the products that are its arguments. */
const products: Record<string, BuildPackages> = { service: packageService }

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(products)
const unknown = names.filter((name) => !(name in products))
if (unknown.length > 0) {
  console.error(`Unknown product: ${unknown.join(', ')}. The products are ${Object.keys(products).join(', ')}.`)
  process.exit(2)
}
await mkdir(folder, { recursive: true })
for (const name of names) for (const file of (await products[name]?.(folder)) ?? []) console.log(file)
