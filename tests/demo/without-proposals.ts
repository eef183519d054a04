import { confidences, requirementKinds } from '@muster/installers'

/** What proposals for uploaded installers contain. Only the principal that uploaded a file may ask for them. */
export const unseenProposalValues: string[] = [
  ...['fileName', 'facts', 'manifest', 'lines', 'requirements', 'warnings'].map((name) => `PackageProposal.${name}`),
  ...['property', 'value', 'confidence', 'reason', 'isImplied'].map((name) => `ProposedManifestLine.${name}`),
  ...['kind', 'value', 'confidence', 'reason'].map((name) => `ProposedRequirement.${name}`),
  ...confidences.map((value) => `ProposalConfidence=${value}`),
  ...requirementKinds.map((value) => `ProposedRequirementKind=${value}`),
]
