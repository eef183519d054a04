/** Why files are not a manifest of winget. The message is a sentence for the people who added them. */
export class WingetFault extends Error {
  override name = 'WingetFault'
}
