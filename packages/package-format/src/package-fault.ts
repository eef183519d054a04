import type { PropertyFault } from './property-fault.ts'

/** Why a package cannot be imported or hashed. The message is a sentence for the people who build packages. */
export class PackageFault extends Error {
  override name = 'PackageFault'
  /** The property of the manifest that is wrong, if it is a single one. */
  readonly propertyFault: PropertyFault | undefined

  constructor(message: string, options: ErrorOptions & { propertyFault?: PropertyFault } = {}) {
    super(message, options)
    this.propertyFault = options.propertyFault
  }
}
