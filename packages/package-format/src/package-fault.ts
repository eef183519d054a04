/** Why a package cannot be imported or hashed. The message is a sentence for the people who build packages. */
export class PackageFault extends Error {
  override name = 'PackageFault'
}
