import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'

export type Product = { name: string; version: string }

/**
 * Writes the bill of materials of a file that was built, beside it: CycloneDX 1.6, with the hash of the file. It contains
 * neither a time nor a random number, so the same sources result in the same document. Returns its path.
 */
export async function writeSbom(
  artifact: string,
  { name, version }: Product,
  components: readonly Models.Component[],
): Promise<string> {
  const bom = new Models.Bom()
  const product = new Models.Component(Enums.ComponentType.Application, name, {
    version,
    bomRef: name,
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-256'], await sha256Of(artifact)]]),
    licenses: new Models.LicenseRepository([new Models.SpdxLicense('Apache-2.0')]),
  })
  bom.metadata.component = product
  // A package may be in several bundles.
  const distinct = new Map(components.map((component) => [component.bomRef.value, component])).values()
  for (const component of distinct) {
    bom.components.add(component)
    product.dependencies.add(component.bomRef)
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  const file = `${artifact}.cdx.json`
  await writeFile(file, `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`)
  return file
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}
