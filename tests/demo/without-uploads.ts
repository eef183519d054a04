import { confidences, requirementKinds } from '@muster/installers'

/** What an import that runs, and proposals for uploaded installers contain. Only who uploaded a file may ask for its proposal. */
export const unseenUploadValues: string[] = [
  'PackageUploadState=Importing',
  ...['fileName', 'facts', 'manifest', 'lines', 'requirements', 'warnings', 'notes'].map(
    (name) => `PackageProposal.${name}`,
  ),
  ...['property', 'value', 'confidence', 'reason', 'isImplied'].map((name) => `ProposedManifestLine.${name}`),
  ...['kind', 'value', 'confidence', 'reason'].map((name) => `ProposedRequirement.${name}`),
  ...confidences.map((value) => `ProposalConfidence=${value}`),
  ...requirementKinds.map((value) => `ProposedRequirementKind=${value}`),
  // Recipes are files of an administrator, which only the command line reads.
  'PackageRecipePlan.items',
  ...['action', 'packageId', 'fields', 'blockers'].map((name) => `PackageRecipeComparison.${name}`),
  ...['Add', 'Change', 'None'].map((action) => `PackageRecipeAction=${action}`),
  ...['property', 'reason'].map((name) => `PackageRecipeBlocker.${name}`),
]

export const unusedUploadColumns = ['package_uploads.writer_id', 'package_uploads.writer_until']
