export const enPatches = {
  title: 'Patches',
}
