import { installDebianPackages } from './debian-packages.ts'

// Before a run of all tests: none of them has to wait for it.
const reason = installDebianPackages()
if (reason) console.warn(`Some tests will be left out, because programs that they need are missing: ${reason}.`)
