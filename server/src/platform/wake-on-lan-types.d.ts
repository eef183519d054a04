// What Muster uses of the library, which comes without types.
declare module 'wake_on_lan' {
  type Options = { address: string; port: number; num_packets: number }
  const library: { wake(mac: string, options: Options, done: (error?: Error | null) => void): void }
  // biome-ignore lint/style/noDefaultExport: this is how a CommonJS module looks to an import.
  export default library
}
