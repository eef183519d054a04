import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { openTemporaryFolder } from './temporary-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which a test worker creates the installation that all tests copy. */
    installations: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await openTemporaryFolder()
  project.provide('installations', folder)
  return () => rm(folder, { recursive: true })
}
