/** Relations of packages that an earlier version of the service has imported, or that a person has installed. */
export const unseenRelationValues = ['ExplainedRequirement.state=Awaited', 'ExplainedNotice.reason=ConflictInstalled']

export const unusedRelationColumns = ['package_requirements.pulls']
