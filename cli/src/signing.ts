// What signs a package has one implementation, which the service verifies.
export { createKeyFiles, openKeyFile } from '../../server/src/cli/signing/key-files.ts'
export { signPackage } from '../../server/src/cli/signing/sign-package.ts'
export { SigningError } from '../../server/src/cli/signing/signing-error.ts'
