import { ok, operation } from '../../../platform/operation.ts'
import { compareRecipe, type RecipeComparison } from '../compare-recipe.ts'
import { PackageRecipePlan, PackageRecipePlanRequest } from './recipe-schemas.ts'

export const planPackageRecipes = operation({
  id: 'planPackageRecipes',
  route: 'POST /api/packages/recipes/plan',
  summary: 'Compare recipes with the packages that they describe, without changing anything',
  description:
    'A recipe is the manifest of a package, and where its file comes from. For each one, the answer says if the package has to be ' +
    'added or changed, what differs, and what prevents the import, in the order of the request. Make the packages with ' +
    'addRepositoryPackage, downloadPackage or importPackageUpload: each import is checked again, and happens as a whole or not at ' +
    'all. A recipe without a hash accepts the file that the package has. Leave out `file.url` to compare a recipe whose file is uploaded.',
  role: 'package.read',
  execution: { kind: 'Read' },
  body: PackageRecipePlanRequest,
  returns: ok(PackageRecipePlan),
  extension: true,
  async handle({ body: { recipes }, db, services: { configuration } }) {
    const items: RecipeComparison[] = []
    for (const recipe of recipes) items.push(await compareRecipe(db, recipe, configuration))
    return { items }
  },
})
