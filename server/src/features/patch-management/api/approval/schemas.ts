import { closed, Id, Int32, nullable, type Static, Type, text } from '../../../../platform/schema.ts'

const maxPatches = 500
const maxLinks = 10_000

const PatchLinkSchema = closed(
  { patchId: Id, productId: { ...Id, description: 'Id of a product version of the patch' } },
  { title: 'PatchLink' },
)

export type PatchLink = Static<typeof PatchLinkSchema>

const NamedPatchSchema = closed(
  { patchId: Id, patchName: nullable(text(500, 'openssl 3.0.16-1~deb12u1')) },
  { title: 'NamedPatch' },
)

export type NamedPatch = Static<typeof NamedPatchSchema>

const links = (description: string) => Type.Array(PatchLinkSchema, { maxItems: maxLinks, description })

const count = (description: string, example: number) => ({
  ...Int32,
  minimum: 0,
  examples: [example],
  description,
})

const pmGroupId = Type.Optional({
  ...nullable(Id),
  description: 'A patch management group',
})

export const ApprovePatchesRequest = closed(
  {
    patchIds: Type.Array(Id, {
      minItems: 1,
      maxItems: maxPatches,
      examples: [[17, 42]],
      description: '1 to 500 ids of patches. Duplicates are processed once',
    }),
    pmGroupId,
  },
  { title: 'ApprovePatchesRequest' },
)

export const PatchApprovals = closed(
  {
    patchCount: count('Patches of the request', 12),
    firstPatches: Type.Array(NamedPatchSchema, { description: 'The first 20 of them by name' }),
    newApprovals: links('What was not approved before. revokePatches takes it back'),
    pmGroupId: nullable(Id),
    added: links('What the patch management group did not contain before'),
    otherCategory: count('Patches that were not added because the category of the group is another one', 0),
    lackingComputers: count('Computers that lack at least one of the patches', 265),
    reachedComputers: count('Those of them to which a patch management group with the patch is assigned', 240),
    withoutGroupCount: count('Patches that no patch management group with an assignment contains', 1),
    withoutGroup: Type.Array(NamedPatchSchema, { description: 'The first 20 of them by name' }),
  },
  { title: 'PatchApprovals' },
)

export const RevokePatchesRequest = closed(
  {
    approvals: links('The approvals to revoke'),
    pmGroupId,
    pmGroupPatches: Type.Optional(links('What to remove from the patch management group')),
  },
  { title: 'RevokePatchesRequest' },
)

export const PatchRevocations = closed(
  {
    revoked: count('Approvals that were revoked', 12),
    removed: count('Patches that were removed from the patch management group', 12),
  },
  { title: 'PatchRevocations' },
)
