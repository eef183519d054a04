/** Builds the packages of one product into the folder, and returns their files. */
export type BuildPackages = (folder: string) => Promise<string[]>
