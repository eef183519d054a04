/** A setting is invalid. The message is a sentence for the administrator. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}
