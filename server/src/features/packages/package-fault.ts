/** What is wrong with a package, as a sentence for people. */
export class PackageFault extends Error {
  override name = 'PackageFault'
}
