/** A setting that makes no sense, told in a sentence to whoever has set it. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}
