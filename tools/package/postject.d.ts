declare module 'postject' {
  /** Adds a resource to a program, in its file. */
  export function inject(
    program: string,
    resource: string,
    content: Buffer,
    options: { sentinelFuse: string },
  ): Promise<void>
}
