import { rm } from 'node:fs/promises'
import { layOutTree } from './agent-tree.ts'
import { run } from './run.ts'

/** Archives the files of the agent, for computers without dpkg and for updates. */
export async function buildArchive(target: string, executable: string, builtAt: Date): Promise<void> {
  const tree = `${target}.tree`
  const timeless = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${builtAt.getTime() / 1000}`]
  try {
    await layOutTree(executable, tree, builtAt)
    await run('tar', ['-C', tree, ...timeless, '-I', 'gzip -n -9', '-cf', target, '.'])
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
}
