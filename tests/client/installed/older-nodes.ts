import { chmod } from 'node:fs/promises'
import { type NpmFile, npmFile } from '../../../tools/package/npm-file.ts'

// Fifty megabytes each, so they are not part of the installation: the test that needs them downloads them once.
const hashes = {
  x64: {
    '20.20.2': '6295488653f0d93b0a157841746fef7e72cc4328cfb60c4bbe0ca2668a836ffd',
    '22.23.3': 'fde6a4bf8d0562f7751d1a2d6cb9b417c4cfe107bbcb0aa3e9a24e125e348f48',
  },
  arm64: {
    '20.20.2': '05a69ccdcb795f2a8b86c145e71a6a37cce84fccef5aaf25a8fe38bc9423e732',
    '22.23.3': 'd09e299258c24f7cdf6f5d5ec185e3a56512b27a697113735dac909f1cac7b8d',
  },
}

export type OlderNode = keyof (typeof hashes)['x64']

export const olderNodes: readonly OlderNode[] = ['20.20.2', '22.23.3']

/** The program of a version of Node. Without it and without a registry, the reason why there is none. */
export async function findNode(version: OlderNode): Promise<{ program: string } | { reason: string }> {
  const architecture = process.arch as keyof typeof hashes
  const sha256 = hashes[architecture]?.[version]
  if (!sha256) return { reason: `no Node ${version} for ${process.arch} is known` }
  const file: NpmFile = { name: `node-linux-${architecture}`, version, path: 'bin/node', sha256 }
  try {
    const program = await npmFile(file)
    await chmod(program, 0o755)
    return { program }
  } catch (error) {
    return { reason: `Node ${version} cannot be downloaded: ${(error as Error).message.split('\n')[0]}` }
  }
}
