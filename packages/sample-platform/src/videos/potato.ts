import type { SampleVideo } from '../sample-video.ts'
import { timeTalk } from '../talk.ts'

const talk = timeTalk(
  [
    {
      title: 'Una planta venenosa',
      lines: [
        'Hoy vamos a hablar de una planta que empezó siendo venenosa.',
        'La conocemos frita, cocida, asada y en puré: la papa, o la patata.',
        'Su historia empieza hace unos ocho mil años, cerca del lago Titicaca.',
        'Las papas silvestres eran pequeñas, amargas y llenas de alcaloides.',
        'Esas sustancias protegen a la planta de los insectos, y también de nosotros.',
        'Entonces, ¿cómo se le ocurrió a alguien comérsela?',
      ],
    },
    {
      title: 'El truco de la arcilla y del hielo',
      lines: [
        'Los pueblos de los Andes observaron a los animales que lamían arcilla.',
        'La arcilla retiene parte del veneno, así que la comían junto con las papas.',
        'Todavía hoy, en algunos mercados del altiplano, se vende esa arcilla comestible.',
        'El segundo truco fue todavía mejor: usar el clima de la montaña.',
        'Por la noche, las papas se extienden en el suelo y se congelan.',
        'Por la mañana, con el sol, se descongelan, y la gente las pisa con los pies descalzos.',
        'Con el agua se va buena parte de las sustancias amargas.',
        'Después de varios días queda el chuño: seco, ligero y casi eterno.',
        'Bien guardado, puede durar diez años o más.',
        'Los incas llenaron con él sus almacenes, para el ejército y para los años malos.',
      ],
    },
    {
      title: 'El viaje a Europa',
      lines: [
        'Los españoles vieron la papa hacia 1530 y al principio no le hicieron mucho caso.',
        'Se sabe que en 1567 ya salían barriles de papas desde las islas Canarias.',
        'En Sevilla, un hospital las compraba en 1573 para dar de comer a los enfermos.',
        'El resto de Europa desconfiaba: no aparecía en la Biblia y crecía bajo tierra.',
        'Algunos decían que causaba la lepra.',
        'En Francia, el farmacéutico Antoine Parmentier la conoció como prisionero de guerra.',
        'Comió papas durante meses, y salió de la cárcel perfectamente sano.',
        'Cuentan que más tarde plantó un campo cerca de París y lo hizo vigilar por soldados.',
        'De día, los guardias daban importancia al cultivo. De noche, se iban.',
        'Los vecinos, claro, robaron las plantas. Era justo lo que él quería.',
      ],
    },
    {
      title: 'El peligro de una sola variedad',
      lines: [
        'En Irlanda, la papa dio de comer a millones de personas pobres.',
        'Pero casi todos cultivaban la misma variedad, multiplicada a partir de trozos.',
        'Eran, en la práctica, copias idénticas de la misma planta.',
        'En 1845 llegó un organismo parecido a un hongo, el tizón tardío.',
        'Lo que mataba a una planta las mataba a todas.',
        'La cosecha se pudrió en el campo, un año tras otro.',
        'Murió cerca de un millón de personas, y otro millón tuvo que emigrar.',
        'No fue solo la planta: mientras tanto, el país seguía exportando comida.',
      ],
    },
    {
      title: 'Cuatro mil respuestas',
      lines: [
        'En los Andes, en cambio, un campesino suele sembrar muchas variedades a la vez.',
        'Unas resisten la helada, otras la sequía, otras las plagas.',
        'Siempre se pierde algo, pero casi nunca se pierde todo.',
        'En Lima, el Centro Internacional de la Papa guarda más de cuatro mil variedades.',
        'Las hay moradas, rojas, negras, y algunas con forma de piña.',
        'Una de ellas tiene un nombre que significa «la que hace llorar a la nuera».',
        'Es tan irregular que pelarla era, dicen, una prueba antes de la boda.',
        'La lección es sencilla: la diversidad no es un adorno, es un seguro.',
        'La próxima vez que comas una papa, piensa en el frío que la hizo posible.',
        'Gracias por escuchar.',
      ],
    },
  ],
  15.5,
)

export const POTATO: SampleVideo = {
  id: 'sbtx-es-pap',
  title: 'El viaje de la papa: del hielo de los Andes a tu plato',
  language: 'es',
  purpose: 'Spanish talk with chapters: a manual and an auto-generated track',
  author: 'Subtext Charlas de Muestra',
  channelId: 'UCsubtextCharlasMuestra0',
  description: `Ocho mil años de historia en cuatro minutos.\n\n${talk.chapterList}`,
  lengthSeconds: talk.lengthSeconds,
  published: '2026-04-02T09:30:00-00:00',
  viewCount: 12_904,
  tracks: [
    { language: 'es', kind: 'auto', name: 'Spanish (auto-generated)', cues: () => talk.cues },
    { language: 'es', kind: 'manual', name: 'Spanish', cues: () => talk.cues },
  ],
  defaultTrack: 1,
  comments: [
    {
      author: '@abuela_del_altiplano',
      text: 'Mi abuela todavía hace chuño. ¡Qué emoción verlo aquí!',
      likes: 230,
      published: 'hace 6 meses',
    },
    { author: '@tortilla.con.cebolla', text: 'Patata, por favor. 😄', likes: 75, published: 'hace 5 meses' },
  ],
}
