/** Recipes are files of an administrator, which only the command line reads. */
export const unseenRecipeValues: string[] = [
  'PackageRecipePlan.items',
  ...['action', 'packageId', 'fields', 'blockers'].map((name) => `PackageRecipeComparison.${name}`),
  ...['Add', 'Change', 'None'].map((action) => `PackageRecipeAction=${action}`),
  ...['property', 'reason'].map((name) => `PackageRecipeBlocker.${name}`),
]
