"""Common given names that are not ordinary words, for texts that name people without a title."""

from __future__ import annotations

_NAMES = (
    # English
    "James John Robert Michael William David Richard Joseph Thomas Charles Christopher Daniel Matthew Anthony Steven "
    "Paul Andrew Joshua Kenneth Kevin Brian George Edward Ronald Timothy Jason Jeffrey Ryan Jacob Nicholas Jonathan "
    "Stephen Larry Justin Scott Brandon Benjamin Samuel Gregory Alexander Patrick Raymond Dennis Jerry Tyler Aaron "
    "Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Lisa Nancy Betty Sandra Margaret Ashley "
    "Kimberly Emily Donna Michelle Carol Amanda Dorothy Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia "
    "Kathleen Amy Angela Shirley Anna Brenda Pamela Emma Nicole Helen Samantha Katherine Christine Rachel Olivia "
    # German
    "Hans Peter Wolfgang Klaus Jürgen Jurgen Dieter Manfred Uwe Günter Günther Horst Bernd Werner Helmut Heinz Gerhard "
    "Stefan Andreas Jörg Markus Matthias Torsten Thorsten Sven Jens Ralf Rainer Holger Karsten Ursula Monika Petra "
    "Sabine Renate Helga Brigitte Ingrid Erika Christa Gisela Susanne Birgit Karin Heike Katrin Kerstin Ulrike Martina "
    "Claudia Gabriele Jutta Anke Silke Nadine Hannelore Hildegard Elfriede Lukas Leon Jonas Finn Felix Maximilian "
    # French
    "Jean Pierre Michel André Philippe Jacques Bernard Alain Patrice Christophe Laurent François Françoise Nicolas "
    "Julien Thierry Guillaume Mathieu Sébastien Olivier Marie Monique Isabelle Nathalie Sylvie Catherine Martine "
    "Jacqueline Véronique Valérie Sandrine Céline Aurélie Émilie Camille Chloé Hélène Geneviève Benoît Étienne "
    # Spanish and Portuguese
    "José Juan Antonio Francisco Javier Miguel Ángel Carlos Jesús Alejandro Rafael Pedro Manuel Luis Fernando Diego "
    "Sergio Pablo Jorge Alberto Álvaro María Carmen Josefa Isabel Pilar Lucía Cristina Marta Teresa Raquel Beatriz "
    "Joao João Gonçalo Tiago Inês Conceição Rocío Begoña Íñigo Guadalupe "
    # Italian
    "Giuseppe Giovanni Mario Luigi Franco Angelo Vincenzo Salvatore Domenico Paolo Roberto Stefano Giorgio Luca Matteo "
    "Alessandro Lorenzo Giulia Francesca Chiara Paola Giovanna Rosaria Concetta Federica Elisabetta Antonella "
    # Dutch and Nordic
    "Johannes Cornelis Hendrik Willem Pieter Gerrit Jeroen Maarten Joost Sjoerd Sanne Fleur Anneke Marieke Saskia "
    "Femke Lars Anders Johan Erik Bjørn Björn Astrid Sigrid Ingeborg Kristina "
    # Turkish, Arabic, Polish, Russian and other frequent names
    "Mehmet Mustafa Ahmet Hüseyin Fatma Ayşe Emine Hatice Mohamed Mohammed Muhammad Ahmed Fatima Aisha Omar Hassan "
    "Ibrahim Khadija Yusuf Krzysztof Agnieszka Katarzyna Małgorzata Piotr Wojciech Ewa Ivan Dmitri Sergei Olga Natalia "
    "Svetlana Tatiana Vladimir Priya Rahul Sanjay Wei Hiroshi Yuki Nguyen"
)

GIVEN_NAMES = frozenset(_NAMES.split())
"""Names as written, with a capital."""
