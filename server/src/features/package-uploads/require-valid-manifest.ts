import { manifestName, PackageFault, type PropertyFault, parseManifest } from '@muster/package-format'
import { manifestInvalid } from './problems.ts'

const maxNameLength = 200

/** Names of unknown properties come from the client: any length. */
const toFieldError = ({ property, predicate }: PropertyFault) => ({
  in: 'body',
  name: `manifest.${property.slice(0, maxNameLength).toWellFormed()}`,
  reason: predicate,
})

/** The import checks it again, with the content of the file. Here, the person who wrote it learns of a fault at once. */
export function requireValidManifest(manifest: object, fileName: string): void {
  try {
    parseManifest(Buffer.from(JSON.stringify(manifest)), new Set([fileName, manifestName]))
  } catch (error) {
    if (!(error instanceof PackageFault)) throw error
    const { message, propertyFault } = error
    throw manifestInvalid({ reason: message, ...(propertyFault && { errors: [toFieldError(propertyFault)] }) })
  }
}
