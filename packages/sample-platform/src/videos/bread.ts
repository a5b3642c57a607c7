import type { SampleVideo } from '../sample-video.ts'
import { timeTalk } from '../talk.ts'

const talk = timeTalk(
  [
    {
      title: 'Un bruit à écouter',
      lines: [
        'Approchez votre oreille d’un pain qui sort du four.',
        'Vous entendrez de petits craquements, comme de la pluie sur des feuilles sèches.',
        'Les boulangers disent que le pain chante.',
        'Ce chant raconte toute la physique et toute la chimie d’une miche.',
        'Commençons par le début, avec quatre ingrédients seulement.',
        'De la farine, de l’eau, du sel, et un peu de vie.',
      ],
    },
    {
      title: 'Le filet de gluten',
      lines: [
        'La farine de blé contient deux familles de protéines.',
        'Les gliadines rendent la pâte extensible, les gluténines la rendent élastique.',
        'À sec, elles ne font rien. Avec de l’eau, elles s’accrochent les unes aux autres.',
        'Quand on pétrit, on étire ce réseau et on l’aligne : c’est le gluten.',
        'Imaginez un filet très fin, capable de retenir des bulles.',
        'Sans lui, le gaz s’échapperait, et le pain resterait une galette.',
        'Le sel, lui, ne donne pas seulement du goût.',
        'Il resserre ce filet et ralentit la fermentation.',
      ],
    },
    {
      title: 'Un levain plein d’habitants',
      lines: [
        'Le gaz vient des levures, des champignons faits d’une seule cellule.',
        'Elles mangent des sucres et rejettent du dioxyde de carbone et de l’alcool.',
        'Dans un levain, elles vivent avec des bactéries lactiques.',
        'Ces bactéries produisent des acides, qui donnent le goût et protègent la pâte.',
        'C’est pourquoi un pain au levain se garde plus longtemps.',
        'Le froid ralentit tout ce petit monde, mais pas de la même façon.',
        'Une nuit au réfrigérateur laisse aux arômes le temps d’apparaître.',
        'La patience, en boulangerie, est un ingrédient.',
      ],
    },
    {
      title: 'Dix minutes décisives',
      lines: [
        'Voici maintenant le moment le plus spectaculaire : le four.',
        'Dans les premières minutes, le gaz se dilate et l’eau devient vapeur.',
        'Les levures, réchauffées, travaillent une dernière fois à toute vitesse.',
        'Vers cinquante-cinq degrés, elles meurent.',
        'Entre soixante et quatre-vingts degrés, l’amidon gonfle et la mie se fige.',
        'Pendant ce temps, le boulanger a jeté de l’eau dans le four. Pourquoi ?',
        'La vapeur se dépose sur la pâte froide et garde sa surface souple.',
        'Le pain peut ainsi grandir avant que la croûte ne l’enferme.',
        'Et les coups de lame sur le dessus lui disent où s’ouvrir.',
      ],
    },
    {
      title: 'La couleur et la chanson',
      lines: [
        'Puis la surface sèche, et la température y dépasse cent quarante degrés.',
        'Alors commence une réaction décrite en 1912 par Louis-Camille Maillard.',
        'Des sucres et des acides aminés se combinent en centaines de molécules.',
        'Elles sentent le caramel, la noisette, le café : c’est l’odeur de la croûte.',
        'On sort enfin le pain. À l’intérieur il fait presque cent degrés.',
        'Dehors, il en fait vingt. La croûte, sèche et rigide, se refroidit la première.',
        'La mie, humide et souple, se contracte ensuite, et tire sur la croûte.',
        'La croûte ne peut pas suivre : elle se fissure, ici, puis là.',
        'Chaque fissure fait un petit bruit. Voilà pourquoi le pain chante.',
        'Un pain qui ne chante pas a souvent une croûte trop molle, ou trop cuite.',
        'Attendez qu’il se taise avant de le couper : la mie finit de se former.',
        'Bon appétit, et merci de votre attention.',
      ],
    },
  ],
  15.5,
)

export const BREAD: SampleVideo = {
  id: 'sbtx-fr-pai',
  title: 'Pourquoi le pain chante-t-il en sortant du four ?',
  language: 'fr',
  purpose: 'French talk: a manual and an auto-generated track',
  author: 'Subtext Conférences d’essai',
  channelId: 'UCsubtextConferences0000',
  description: 'La physique et la chimie d’une miche de pain, de la farine à la croûte.',
  lengthSeconds: talk.lengthSeconds,
  published: '2026-04-20T06:00:00-00:00',
  viewCount: 7_530,
  tracks: [
    { language: 'fr', kind: 'manual', name: 'French', cues: () => talk.cues },
    { language: 'fr', kind: 'auto', name: 'French (auto-generated)', cues: () => talk.cues },
  ],
}
