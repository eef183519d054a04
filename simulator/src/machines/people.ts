const splitNames = (text: string) => text.trim().split(/\s+/)

export const firstNames = splitNames(`
  Aisha Alexander Amelie Andrea Anton Barbara Ben Carla Carlos Charlotte Chen Claudia Daniel David Elena Emil Emma Eva
  Fatima Felix Finn Francesca Gabriel Greta Hanna Hugo Ida Ines Ivan Jakob Jana Jonas Julia Kai Katharina Klara Kofi
  Lara Laura Leo Lina Luca Lucia Maria Marie Markus Matteo Mehmet Mia Michael Mila Mohammed Nadia Nele Nina Noah Nora
  Olga Omar Oskar Paul Petra Pia Priya Rafael Robert Rosa Sarah Sofia Stefan Sven Tariq Theo Thomas Tim Tomasz Ursula
  Valentina Vera Viktor Wei Yara Yusuf Zoe`)

export const lastNames = splitNames(`
  Abel Ahmed Albers Arnold Bauer Becker Berger Bianchi Braun Brandt Castro Costa Dietrich Duval Ebert Engel Ferrari
  Fischer Frank Friedrich Garcia Graf Haas Hansen Hartmann Heinrich Hoffmann Horn Huber Ivanova Jansen Kaiser Keller
  Klein Koch Kowalski Kraus Lang Lehmann Lopez Lorenz Maier Martin Mayer Meyer Moreau Nowak Okafor Peters Petrov Pohl
  Ramos Richter Ricci Roth Sanchez Sauer Schmid Schmitt Schneider Schulz Schwarz Seidel Silva Simon Sommer Stein Torres
  Vogel Vogt Wagner Walter Weber Weiss Werner Winkler Winter Wolf Yilmaz Zhang Ziegler Zimmermann`)

export const departments = ['Sales', 'Finance', 'Engineering', 'Design', 'Support', 'Production'] as const
export type Department = (typeof departments)[number]

/** Each site has a network of its own. */
export const sites = [
  { name: 'Berlin', code: 'ber', timeZone: 'Europe/Berlin', language: 'de-DE' },
  { name: 'Hamburg', code: 'ham', timeZone: 'Europe/Berlin', language: 'de-DE' },
  { name: 'Paris', code: 'par', timeZone: 'Europe/Paris', language: 'fr-FR' },
  { name: 'London', code: 'lon', timeZone: 'Europe/London', language: 'en-GB' },
  { name: 'Boston', code: 'bos', timeZone: 'America/New_York', language: 'en-US' },
  { name: 'Austin', code: 'aus', timeZone: 'America/Chicago', language: 'en-US' },
] as const
export type Site = (typeof sites)[number]
