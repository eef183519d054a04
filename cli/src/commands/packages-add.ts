import { command, dryRunOption } from '../command.ts'
import { addRepositoryPackage, repositoryOptions } from './repository-package.ts'

export const addPackages = command({
  name: 'packages add',
  summary: 'Add a package that comes from a Debian or RPM repository',
  description:
    'The package manager of each computer installs it: from the repositories of the computer, or from the one of --repository.',
  arguments: [['<package>', 'deb:NAME or rpm:NAME']],
  options: [...repositoryOptions, ['--overwrite', 'Replace the content of a package that exists'], dryRunOption],
  examples: [
    ['muster packages add deb:nginx', 'The newest version that the repositories of a computer have'],
    ['muster packages add rpm:nginx --package-version 1.26.3-3 --hold', 'Exactly this version, which updates do not change'],
  ],
  operations: ['addRepositoryPackage', 'getPackageImport'],
  run: (call) => addRepositoryPackage(call, call.args[0] ?? ''),
})
