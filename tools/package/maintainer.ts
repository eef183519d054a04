import project from '../../package.json' with { type: 'json' }

/** The field `Maintainer` of all Debian packages: the `author` of the project, as `Name` or `Name <address>`. */
export const maintainer: string = project.author
