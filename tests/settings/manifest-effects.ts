import type { Effects } from './effects-type.ts'

/** The manifests of all kinds of packages. */
export const everyManifest =
  'SoftwareManifest, OperatingSystemManifest, LanguagePackManifest, AgentTemplateManifest, PxeBootImageManifest, InventoryScanManifest, PatchScanManifest, PatchFixManifest'

const forOthers = 'deployments/not-applicable.test.ts: '

/** The settings that a package brings in its manifest. */
export const manifestEffects: Effects = {
  [everyManifest]: {
    name: 'hand-out/hand-out.test.ts: work waits until the required package is installed in any version, ignoring the case of its name',
    displayName:
      'agent/test/commands.test.ts: an install command finds its files in the package folder and gets variables and the package name',
    'version, revision': 'packages/import.test.ts: another version, revision or operating system makes another package',
    kind: 'packages/examples.test.ts: every example package can be imported, and every kind has an example',
    'variables[].variable, variables[].value':
      'variable-resolution/package-defaults.test.ts: the defaults of a package count that comes as %s',
    'files[].path, files[].size, files[].sha256':
      'packages/signatures.test.ts: a signed package with %s is not imported',
  },
  'OperatingSystemManifest, AgentTemplateManifest, PxeBootImageManifest': {
    'operatingSystems[]':
      'packages/import.test.ts: another version, revision or operating system makes another package',
  },
  'SoftwareManifest, LanguagePackManifest, InventoryScanManifest, PatchScanManifest, PatchFixManifest': {
    'operatingSystems[]': `${forOthers}software for %s is not applicable to a computer that runs %s %s`,
  },
  SoftwareManifest: {
    'category, icon':
      'self-service/software.test.ts: category and icon come from the package, and only computers that see it get its icon',
    'msi.file, msi.properties, msi.timeLimitMinutes':
      'agent/test/declared.test.ts: an MSI file becomes the commands of msiexec, and its product code detects it',
    'source.package, source.version, source.timeLimitMinutes, source.repository.url, source.repository.suite, source.repository.components[], source.repository.key':
      'tests/repository-packages/apt.test.ts: a package is installed from a given repository, kept at its version, and removed with its repository',
    'source.minVersion, source.keepVersion, source.allowDowngrade':
      'tests/repository-packages/apt.test.ts: the newest version replaces an older one, a lock is respected, and a downgrade needs permission',
    preOs:
      'hand-out/hand-out.test.ts: a pre-OS package is leased only before the operating system runs, and nothing else is leased there',
  },
  'SoftwareManifest, InventoryScanManifest, PatchScanManifest, PatchFixManifest': {
    'requires[]':
      'deployments/required-packages.test.ts: a required package that is assigned to no group is installed first, then the package that requires it',
    onlyFor:
      'deployments/package-conditions.test.ts: a package with the conditions %j is not applicable, and nothing fails',
    'conflicts[]':
      'hand-out/conflicts.test.ts: of two assigned packages that conflict, the later waits with a reason, and goes on waiting',
    'supersedes[].name':
      'deployments/superseded-packages.test.ts: a package that supersedes another in place is an update, and the old one counts as replaced and does not return',
    'supersedes[].uninstallFirst':
      'deployments/superseded-packages.test.ts: a package that supersedes another after its removal waits until that is uninstalled',
    'secrets[]':
      'channels/agent/work-variables.test.ts: started work gets the effective variables, but only those secrets that the manifest names',
    'commands.install, commands.update, commands.uninstall':
      'agent/test/shared/commands.ts: each kind of work runs its own command, and an update without one installs',
    'commands.detect': 'agent/test/shared/commands.ts: the detect command decides what is installed',
  },
  PatchFixManifest: {
    'commands.before, commands.after':
      'agent/test/patches/fix-steps.test.ts: run around the installation, and its result counts',
  },
  'SoftwareManifest, InventoryScanManifest, PatchScanManifest': {
    'commands.before, commands.after':
      'packages/manifest.test.ts: a manifest that %s is refused with a message that says so',
  },
  PackageConditions: {
    'osVersion.min, osVersion.below, osEditions[], architectures[], minMemoryMb, minFreeDiskGb, customFields[].name, customFields[].values[], variables[].name, variables[].values[]':
      'deployments/package-conditions.test.ts: a package with the conditions %j is not applicable, and nothing fails',
    'software[].name, software[].min, software[].below, software[].absent':
      'deployments/package-conditions.test.ts: conditions about installed software compare names and versions with the last scan',
  },
  PackageDetection: {
    'argv[], shell, timeLimitMinutes, successCodes[], rebootCodes[]':
      'agent/test/shared/commands.ts: the detect command decides what is installed',
    'file.path':
      'agent/test/shared/commands.ts: software is found by a file, after it was installed and after it was removed',
    'dpkg.package, dpkg.version, dpkg.minVersion':
      'agent/test/declared.test.ts: software is found by the version that dpkg knows',
    'rpm.package, rpm.version, rpm.minVersion':
      'tests/repository-packages/rpm.test.ts: on %s, %s installs from a given repository, keeps a version, downgrades with permission and removes',
    'program.id, program.name, program.publisher, program.version, program.minVersion':
      'agent/test/programs.test.ts: a program that is named %j is found: %j',
    'registry.key, registry.view, registry.value, registry.equals, registry.version, registry.minVersion, file.version, file.minVersion, msi.productCode, msi.version, msi.minVersion':
      'agent/test/declared.test.ts: %j with %j installed is %j',
  },
  PackageUninstall: {
    'argv[], shell, timeLimitMinutes, successCodes[], rebootCodes[]':
      'agent/test/shared/commands.ts: each kind of work runs its own command, and an update without one installs',
    'program.id, program.name, program.publisher, program.arguments':
      'agent/test/programs.test.ts: a program is removed by the command that it has registered, with quotation marks around its path',
  },
  PackageCommand: {
    'argv[]':
      'agent/test/commands.test.ts: an install command finds its files in the package folder and gets variables and the package name',
    'shell, successCodes[]': 'agent/test/shared/commands.ts: the codes of the command decide what is success',
    timeLimitMinutes:
      'agent/test/commands.test.ts: after the time limit the command and everything it started are stopped',
    'rebootCodes[]':
      'agent/test/shared/commands.ts: a reboot code counts as success, and the next contact reports which package needs the restart',
  },
  'OperatingSystemManifest, LanguagePackManifest': {
    'image.file': 'channels/pxe/boot-files.test.ts: the files of the boot image and of the operating system are served',
  },
  OperatingSystemManifest: {
    'image.os':
      'channels/pxe/installation.test.ts: an installer gets only language packs for the system that it installs',
    'image.architecture':
      'os-deployment/other-hardware.test.ts: a boot image or operating system for another architecture is neither installed nor booted',
    'image.skus[].index, image.skus[].edition':
      'channels/pxe/installation.test.ts: an installer gets domain, OU, static address, mask and gateway of its computer',
  },
  LanguagePackManifest: {
    'image.language':
      'channels/agent/language-packs.test.ts: an assigned language pack becomes work on a computer that runs Windows',
    'image.os, image.osType, image.architecture': `${forOthers}a language pack for %j is not applicable to a computer with %j`,
  },
  PxeBootImageManifest: {
    'boot.kernel, boot.initrd, boot.arguments':
      'channels/pxe/boot-script.test.ts: the script boots the image with everything that the installer needs',
    'boot.loader':
      'channels/pxe/boot-script.test.ts: a loader starts last, after the other files were loaded under their names',
    'boot.architecture':
      'os-deployment/other-hardware.test.ts: a boot image or operating system for another architecture is neither installed nor booted',
  },
  AgentTemplateManifest: {
    settings:
      'channels/agent/contact.test.ts: settings come from the effective template, and only when the agent does not have them',
  },
  AgentSettings: {
    contactIntervalMinutes: 'channels/agent/contact.test.ts: settings determine the next contact, give or take a tenth',
    inventoryIntervalMinutes:
      'agent/test/inventory.test.ts: the inventory of a contact is at most as old as the settings allow',
    suspensionMode: 'agent/test/loop.test.ts: a suspension by the settings is reported',
    rebootCommand:
      'tests/end-to-end/deployment.test.ts: real agents install, reinstall and remove a package that is assigned over the API',
    downloadTimeLimitMinutes:
      'agent/test/downloads.test.ts: a download that takes longer than its setting allows fails the work',
    keepDownloadsDays:
      'agent/test/downloads.test.ts: downloads not used for keepDownloadsDays are removed, and package folders at once',
    maxDownloadKilobytesPerSecond:
      'agent/test/pre-downloads.test.ts: with a limit of $kilobytes kB/s, 300 kB take $seconds seconds',
    showNotifications:
      'agent/test/power.test.ts: a user who is logged on gets the timeout, and reminders if notifications are shown',
    trustedKeys:
      'agent/test/pinned-keys.test.ts: an agent without keys pins those of its template before it does any work',
    trustedKeysSignature:
      'agent/test/pinned-keys.test.ts: the server cannot change or remove pinned keys: only a list that a pinned key has signed replaces them',
  },
}
