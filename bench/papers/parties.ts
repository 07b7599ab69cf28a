import type { Language } from './languages.ts';
import type { Luck } from './luck.ts';

/** Who is on a paper: a name, and the lines of an address. */
export type Party = Readonly<{ name: string; address: readonly string[] }>;

type Stock = Readonly<{
  firsts: string;
  trades: string;
  forms: string;
  streets: string;
  places: string;
  given: string;
  surnames: string;
  goods: string;
  banks: string;
  nation: string;
}>;

const ENGLISH: Stock = {
  firsts: 'Harbour|Linden|Northgate|Copperfield|Ashdown|Bramble|Kestrel|Meridian|Oakridge|Silverline',
  trades: 'Printing|Hardware|Catering|Engineering|Supplies|Logistics|Electrical|Textiles|Garden Services',
  forms: 'Ltd|Limited|LLP|plc|',
  streets: '14 Orchard Street|88 Mill Road|3 Quay Lane|201 Station Road|7 Church Walk|55 Victoria Avenue',
  places: 'Bristol BS1 4QA|Leeds LS9 8EQ|Falmouth TR11 3AA|York YO1 7HH|Norwich NR3 1AB',
  given: 'Alice Mary|John|Priya|Thomas Edward|Helen|Samuel',
  surnames: 'Carter|Whitfield|Patel|Nolan|Fairbanks|Osborne',
  goods:
    'Copy paper A4|Desk lamp|Oak shelf 90 cm|Cable 5 m|Consulting, hour|Paint white 10 l|Steel bracket|Filter set|Delivery|Garden chair',
  banks: 'Wessex Provincial Bank|Tyne Mutual Bank|Severn Savings Bank',
  nation: 'GBR|British',
};

const STOCKS: Readonly<Record<Language, Stock>> = {
  en: ENGLISH,
  us: {
    ...ENGLISH,
    forms: 'Inc.|LLC|Corp.|',
    streets: '1200 Maple Avenue|45 Lakeview Drive|310 Second Street|980 Pine Street, Suite 4',
    places: 'Portland, OR 97204|Austin, TX 78701|Columbus, OH 43215|Denver, CO 80202',
    banks: 'Cascade Federal Bank|Prairie Union Bank',
    nation: 'USA|American',
  },
  de: {
    firsts: 'Schreiber|Müller|Nordlicht|Bergmann|Seehafen|Altstadt|Krüger|Weber',
    trades: 'Druckerei|Werkzeugbau|Bürobedarf|Elektrotechnik|Gartenbau|Spedition|Metallbau',
    forms: 'GmbH|GmbH & Co. KG|AG|e.K.|',
    streets: 'Hauptstraße 12|Lindenweg 4a|Am Markt 7|Industriestraße 31|Bahnhofstraße 88',
    places: '20457 Hamburg|80331 München|50667 Köln|04109 Leipzig|70173 Stuttgart',
    given: 'Anna Maria|Jürgen|Klaus|Sabine|Friederike|Lukas',
    surnames: 'Schäfer|Becker|Hoffmann|Lehmann|Vogel|Größ',
    goods:
      'Kopierpapier A4|Schreibtischlampe|Regal Eiche|Kabel 5 m|Beratung, Stunde|Wandfarbe 10 l|Stahlwinkel|Filtersatz|Lieferung|Gartenstuhl',
    banks: 'Nordische Handelsbank|Rheinische Volkskasse',
    nation: 'D|deutsch',
  },
  fr: {
    firsts: 'Delacroix|Moulin|Beaumont|Lefèvre|Atelier du Port|Saint-Martin|Valmont',
    trades: 'Imprimerie|Fournitures|Menuiserie|Électricité|Transports|Jardins|Conseil',
    forms: 'SARL|SAS|SA|EURL|',
    streets: '12 rue des Lilas|4 avenue de la République|27 boulevard Carnot|9 place du Marché',
    places: '69002 Lyon|33000 Bordeaux|75011 Paris|59800 Lille|44000 Nantes',
    given: 'Camille|Jean Paul|Hélène|Luc|Amélie|Étienne',
    surnames: 'Durand|Morel|Lefebvre|Girard|Fontaine|Béranger',
    goods:
      'Papier A4|Lampe de bureau|Étagère chêne|Câble 5 m|Conseil, heure|Peinture blanche 10 l|Équerre acier|Jeu de filtres|Livraison|Chaise de jardin',
    banks: 'Banque du Littoral|Crédit Provincial',
    nation: 'FRA|française',
  },
  ms: {
    firsts: 'Seri Melur|Cahaya|Bintang Timur|Pelangi|Sinar Jaya|Tanjung|Mutiara',
    trades: 'Perniagaan|Percetakan|Elektrik|Trading|Hardware|Enterprise',
    forms: 'Sdn Bhd|Sdn. Bhd.|',
    streets: 'No 12, Jalan Mawar 3|28, Jalan Astana 1C|Lot 7, Jalan Perdana|5-G, Jalan Dedap 13',
    places: '81100 Johor Bahru|41050 Klang, Selangor|50450 Kuala Lumpur|10200 Pulau Pinang',
    given: 'Aisyah|Ahmad Faiz|Siti Nur|Wei Ling|Ravi|Hafiz',
    surnames: 'binti Rahman|bin Ismail|Tan|Krishnan|Abdullah',
    goods:
      'Kertas A4|Lampu meja|Rak kayu|Kabel 5 m|Perundingan, jam|Cat putih 10 l|Pendakap keluli|Set penapis|Penghantaran|Kerusi taman',
    banks: 'Bank Cahaya Timur|Bank Mutiara Berhad',
    nation: 'MYS|Malaysia',
  },
  es: {
    firsts: 'Hermanos Vidal|Costa Verde|Montañés|Sierra Alta|Puerto Nuevo|Olivares|Iberia Norte',
    trades: 'Imprenta|Ferretería|Suministros|Electricidad|Transportes|Jardinería|Consultores',
    forms: 'S.L.|S.A.|S.L.U.|',
    streets: 'Calle Mayor 12|Avenida de la Paz 45|Plaza de España 3|Calle del Sol 27',
    places: '28013 Madrid|08002 Barcelona|46001 Valencia|41004 Sevilla',
    given: 'Lucía|José Antonio|María|Javier|Inés',
    surnames: 'García López|Fernández|Núñez Prieto|Ortega|Ibáñez',
    goods:
      'Papel A4|Lámpara de mesa|Estante de roble|Cable 5 m|Consultoría, hora|Pintura blanca 10 l|Escuadra de acero|Juego de filtros|Entrega|Silla de jardín',
    banks: 'Banco del Litoral|Caja Provincial',
    nation: 'ESP|española',
  },
};

type List = Exclude<keyof Stock, 'nation'>;

/** One of a list of a language. */
export const from = (luck: Luck, language: Language, list: List): string =>
  luck.pick(STOCKS[language][list].split('|'));

export const addressFrom = (luck: Luck, language: Language): readonly string[] => [
  from(luck, language, 'streets'),
  from(luck, language, 'places'),
];

/** A business, with a legal form or without. */
export const companyFrom = (luck: Luck, language: Language): Party => {
  const [first, trade] = [from(luck, language, 'firsts'), from(luck, language, 'trades')];
  const named = language === 'fr' || language === 'es' ? `${trade} ${first}` : `${first} ${trade}`;
  return {
    name: `${named} ${from(luck, language, 'forms')}`.trim(),
    address: addressFrom(luck, language),
  };
};

export type Person = Readonly<{ given: string; surname: string; nation: string; nationality: string }>;

export const personFrom = (luck: Luck, language: Language): Person => {
  const [nation = '', nationality = ''] = STOCKS[language].nation.split('|');
  return {
    given: from(luck, language, 'given'),
    surname: from(luck, language, 'surnames'),
    nation,
    nationality,
  };
};

/** A name and address of a customer: a business, or a person. */
export const customerFrom = (luck: Luck, language: Language): Party => {
  if (luck.chance(0.6)) return companyFrom(luck, language);
  const { given, surname } = personFrom(luck, language);
  return { name: `${given} ${surname}`, address: addressFrom(luck, language) };
};
